package audit

// The codes. checks says what each means.
const (
	RulesDropped   Code = "rules-dropped"
	GroupJoined    Code = "group-joined"
	AgentsApart    Code = "agents-apart"
	GroupSplit     Code = "group-split"
	GroupEmpty     Code = "group-empty"
	AgentList      Code = "agent-list"
	AgentCut       Code = "agent-cut"
	AgentNone      Code = "agent-none"
	AgentRepeated  Code = "agent-repeated"
	RuleOutside    Code = "rule-outside"
	RuleNever      Code = "rule-never"
	RuleNoEffect   Code = "rule-no-effect"
	RuleDuplicate  Code = "rule-duplicate"
	RuleOrder      Code = "rule-order"
	RuleTie        Code = "rule-tie"
	RulePrefix     Code = "rule-prefix"
	RuleCase       Code = "rule-case"
	RuleParameter  Code = "rule-parameter"
	RuleDollar     Code = "rule-dollar"
	RuleSlash      Code = "rule-slash"
	RuleURL        Code = "rule-url"
	RuleRegexp     Code = "rule-regexp"
	RuleFragment   Code = "rule-fragment"
	RuleSpace      Code = "rule-space"
	RuleEscape     Code = "rule-escape"
	RuleEmpty      Code = "rule-empty"
	BlocksAll      Code = "blocks-all"
	FieldMisspelt  Code = "field-misspelt"
	FieldUnknown   Code = "field-unknown"
	FieldExtension Code = "field-extension"
	FieldNoindex   Code = "field-noindex"
	FieldValue     Code = "field-value"
	MissingColon   Code = "missing-colon"
	LineIgnored    Code = "line-ignored"
	LineLong       Code = "line-long"
	FileBOM        Code = "file-bom"
	FileUTF8       Code = "file-utf8"
	FileNUL        Code = "file-nul"
	FileHTML       Code = "file-html"
	FileEmpty      Code = "file-empty"
	FileSize       Code = "file-size"
	SitemapURL     Code = "sitemap-url"
	SitemapBlocked Code = "sitemap-blocked"
	FirstMatch     Code = "first-match"
	YandexBlank    Code = "yandex-blank"
	YandexLimits   Code = "yandex-limits"
	UndecidedCode  Code = "undecided"
)

var checks = [...]Check{
	{RulesDropped, Warning, `A crawler with a group of its own does not obey "*", and so drops the rules that stand only there.`},
	{GroupJoined, Error, "A group without a rule, only with records such as Crawl-delay, joins the next group and takes its rules."},
	{AgentsApart, Note, "Blank lines between two User-agent lines do not separate them: both take the rules that follow."},
	{GroupSplit, Note, "Rules of one agent stand in several places; crawlers merge them."},
	{GroupEmpty, Warning, "The last group has no rule, which allows everything to the crawlers that it names."},
	{AgentList, Error, "Several agents in one User-agent line: only the first is read."},
	{AgentCut, Warning, "A User-agent value is cut at the first octet that no product token holds."},
	{AgentNone, Error, "A User-agent value that names no crawler."},
	{AgentRepeated, Note, "An agent is listed twice in one group."},
	{RuleOutside, Error, "A rule before any User-agent line belongs to nobody."},
	{RuleNever, Warning, "The rule can never decide: on every URL that it matches, a longer rule does."},
	{RuleNoEffect, Note, "The rule changes nothing: without it every URL has the same verdict."},
	{RuleDuplicate, Note, "The same rule stands there twice."},
	{RuleOrder, Warning, "Two opposite rules overlap, and read from top to bottom they say the opposite of what the longest match says."},
	{RuleTie, Warning, "An Allow and a Disallow of the same length match the same URL; the Allow wins."},
	{RulePrefix, Note, "A rule without a final slash matches longer names too."},
	{RuleCase, Note, "Rules that differ only in letter case; paths are case-sensitive."},
	{RuleParameter, Warning, `A rule for a parameter behind "?" misses it behind "&".`},
	{RuleDollar, Note, `A rule that ends in "$" misses the same page with a query.`},
	{RuleSlash, Error, `A path that starts with neither "/" nor "*" matches nothing.`},
	{RuleURL, Error, "A rule is an absolute URL and matches nothing; rules are paths."},
	{RuleRegexp, Warning, `Regular-expression syntax in a rule; only "*" and "$" are special.`},
	{RuleFragment, Warning, `"#" starts a comment, also inside a path: the rest of the rule is not read.`},
	{RuleSpace, Warning, "White space inside the path of a rule."},
	{RuleEscape, Note, "An escape that differs from how browsers send it, or from what it seems to say."},
	{RuleEmpty, Note, "A rule without a path, which says nothing where it stands."},
	{BlocksAll, Warning, "Everything is blocked, for everyone."},
	{FieldMisspelt, Error, "A misspelt field name."},
	{FieldUnknown, Note, "A field that no crawler is known to read."},
	{FieldExtension, Note, "A field outside of the standard, which only some crawlers read."},
	{FieldNoindex, Warning, "Noindex does nothing in robots.txt."},
	{FieldValue, Warning, "The value of a field outside of the standard is not what its readers expect."},
	{MissingColon, Warning, "The colon is missing; some parsers forgive that."},
	{LineIgnored, Warning, "A line that is neither a record nor a comment is ignored."},
	{LineLong, Warning, "Google reads only the first 16,663 octets of a line."},
	{FileBOM, Note, "A byte order mark."},
	{FileUTF8, Warning, "The file is not in UTF-8."},
	{FileNUL, Warning, "A NUL octet ends the line for some parsers."},
	{FileHTML, Error, "The file is an HTML page."},
	{FileEmpty, Note, "The file is empty, which allows everything."},
	{FileSize, Error, "The file is larger than the 500 KiB that crawlers are sure to read, or nearly so."},
	{SitemapURL, Error, "A Sitemap that is no absolute http or https URL."},
	{SitemapBlocked, Warning, "The file blocks its own Sitemap."},
	{FirstMatch, Note, "Engines that take the first rule that matches, such as Baidu, read the file otherwise."},
	{YandexBlank, Note, "Yandex ends a group at a blank line."},
	{YandexLimits, Warning, "Yandex reads at most 2,048 rules of at most 1,024 characters."},
	{UndecidedCode, Note, "Some questions about all URLs were left undecided, for the rules interlock too much."},
}
