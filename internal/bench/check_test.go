package bench

import (
	"testing"

	"example.com/robots"
	"github.com/temoto/robotstxt"
)

// An operation is to ask all real pairs once, so that all are asked the same;
// ns/check is one question's share. The files have been read and asked before.
// The peer, which takes no URL, is given its path.
func BenchmarkCheck(b *testing.B) {
	bodies, ps := pairs(b)
	files := make([]*robots.File, len(bodies))
	peers := make([]*robotstxt.RobotsData, len(bodies))
	for i, body := range bodies {
		files[i], peers[i] = robots.Parse(body), peer(b, body)
		for g := range files[i].Groups() {
			warm(g)
		}
	}
	// One that no file names, and that is no known crawler, obeys "*".
	const unseen = "NeverSeenBot"
	const header = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; " +
		"+http://www.google.com/bot.html) Chrome/138.0.7204.23 Safari/537.36"
	groups := make([]*robots.Group, len(bodies))
	peerGroups := make([]*robotstxt.Group, len(bodies))
	for i := range bodies {
		groups[i], peerGroups[i] = files[i].Group(agent), peers[i].FindGroup(agent)
	}
	escaped := make([]pair, len(ps))
	for i, p := range ps {
		const more = "/%7euser/caf\u00e9"
		escaped[i] = pair{p.file, p.url + more, p.path + more}
	}

	run := func(name string, ps []pair, ask func(p *pair) bool) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for i := range ps {
					ask(&ps[i])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(ps)), "ns/check")
		})
	}
	file := func(agent string) func(p *pair) bool {
		return func(p *pair) bool { return files[p.file].Allowed(agent, p.url) }
	}
	test := func(agent string) func(p *pair) bool {
		return func(p *pair) bool { return peers[p.file].TestAgent(p.path, agent) }
	}
	run("agent=token/by=robots", ps, file(agent))
	run("agent=token/by=temoto", ps, test(agent))
	run("agent=token,explained/by=robots", ps, func(p *pair) bool { return files[p.file].Explain(agent, p.url).Allowed })
	run("agent=group/by=robots", ps, func(p *pair) bool { return groups[p.file].Allowed(p.url) })
	run("agent=group/by=temoto", ps, func(p *pair) bool { return peerGroups[p.file].Test(p.path) })
	run("agent=unseen/by=robots", ps, file(unseen))
	run("agent=unseen/by=temoto", ps, test(unseen))
	run("agent=header/by=robots", ps, file(header))
	run("agent=header/by=temoto", ps, test(header))
	run("agent=token,url=escaped/by=robots", escaped, file(agent))
	run("agent=token,url=escaped/by=temoto", escaped, test(agent))
}
