package main

import (
	"fmt"

	"example.com/robots/audit"
)

const diffHelp = `
Usage: robots diff [-json] OLD NEW

Compares two robots.txt files by what they mean to crawlers:

	*: equal (proved for all URLs)
	Googlebot, Googlebot-Image: differs
	    closed /cart
	        old: no rule
	        new: line 7: Disallow: /cart
	+ Sitemap: https://example.com/sitemap.xml

It tells for * (crawlers that neither file names), for each agent that a file
names, and for the known crawlers that a change reaches in another way. Closed
are URLs that were allowed and are not any more, opened the other way round: one
for each rule that is new or gone and makes a difference, the shortest there is.
Comments, order and repetition have no meaning.

One of the files may be -, the standard input. The exit code is 0 if the files
mean the same, 1 if they do not or that could not be proved, 2 if there is no
answer.

With -json it prints one object with equal, agents (each with agents, equal,
opened, closed, recordsAdded, recordsRemoved), sitemapsAdded, sitemapsRemoved,
recordsAdded and recordsRemoved.
`

func runDiff(args []string, std streams) int {
	fs := newFlags("diff", diffHelp)
	asJSON := fs.Bool("json", false, "print a JSON object")
	names, code := parseFlags(fs, args, std)
	if code >= 0 {
		return code
	}
	if len(names) != 2 {
		return fail(std, "diff", fmt.Errorf("there must be two files, not %d: write robots diff OLD NEW", len(names)))
	}
	files, err := loadFiles(std, "diff", names)
	if err != nil {
		return fail(std, "diff", err)
	}
	c := audit.Diff(files[0], files[1])
	write := c.WriteText
	if *asJSON {
		write = c.WriteJSON
	}
	_ = write(std.out) // std.out keeps its errors for run
	if !c.Equal() {
		return exitNo
	}
	return exitOK
}
