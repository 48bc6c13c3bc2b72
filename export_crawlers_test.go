package robots

// What the tests of the external test package need to see.
var (
	IsToken       = isToken
	SpacedCrawler = spacedCrawler
)

// LookupRow is lookupCrawler, whose result tests cannot name.
func LookupRow(token string) (canonical string, fallback []string, ignoresGlobal, ignoresRobots, ok bool) {
	k := lookupCrawler(token)
	if k == nil {
		return "", nil, false, false, false
	}
	return k.row.Token, k.fallback, k.ignoresGlobal, k.ignoresRobots, true
}

// CrawlerSlots returns how many known tokens share a slot of the hash table
// with another one's, and the lengths between which tokens are looked for.
func CrawlerSlots() (shared, minLen, maxLen int) {
	used := map[uint]bool{}
	for i := range knownCrawlers {
		h := crawlerHash(knownCrawlers[i].token) % uint(len(crawlerSlots))
		if used[h] {
			shared++
		}
		used[h] = true
	}
	return shared, crawlerMinLen, crawlerMaxLen
}
