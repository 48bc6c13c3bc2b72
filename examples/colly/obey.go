package main

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"example.com/robots"
	"github.com/gocolly/colly/v2"
)

// Obey makes a Collector, and all that are cloned from it, obey robots.txt by
// package robots instead of Colly's own check. Set the Collector's UserAgent
// before. Base sends the requests; nil for http.DefaultTransport. Do not call
// the Collector's WithTransport afterwards, nor SetProxy: give Base a Proxy.
//
// What is disallowed ends in OnError, and in the error of Visit, as a
// *robots.DisallowedError.
func Obey(c *colly.Collector, base http.RoundTripper) *robots.Client {
	if base == nil {
		base = http.DefaultTransport
	}
	client := &robots.Client{
		UserAgent:  c.UserAgent,
		HTTPClient: &http.Client{Transport: base},
	}
	c.IgnoreRobotsTxt = true // its own check, that is
	c.WithTransport(&robots.Transport{
		// Not the header of each request: a crawler that sends another one to
		// get by is bound by its name all the same. Of a header such as
		// "Mozilla/5.0 (compatible; ShopBot/1.0; …)" robots.ProductToken takes
		// the name, and package robots does so by itself.
		Agent:  c.UserAgent,
		Client: client,
		Base:   base,
	})
	return client
}

// Slow makes a Collector keep the pause that the robots.txt of a site asks for
// between requests to it, or another one if it asks for none.
func Slow(ctx context.Context, c *colly.Collector, client *robots.Client, site string, pause time.Duration) error {
	u, err := url.Parse(site)
	if err != nil {
		return err
	}
	p, err := client.Policy(ctx, site)
	if err != nil {
		return err
	}
	return c.Limit(&colly.LimitRule{
		DomainRegexp: "^" + regexp.QuoteMeta(u.Host) + "$",
		Delay:        pauseOf(p, c.UserAgent, pause),
		Parallelism:  1,
	})
}

// pauseOf returns the Crawl-delay that a policy has for agent, or standard.
func pauseOf(p *robots.Policy, agent string, standard time.Duration) time.Duration {
	if p.File != nil {
		if d, ok := p.File.Group(agent).CrawlDelay(); ok {
			return d
		}
	}
	return standard
}
