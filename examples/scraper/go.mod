module example.com/robots/examples/scraper

go 1.26.0

require (
	example.com/robots v0.0.0
	golang.org/x/net v0.62.0
	golang.org/x/time v0.16.0
)

require golang.org/x/text v0.43.0 // indirect

replace example.com/robots => ../..
