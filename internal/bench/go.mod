module example.com/robots/internal/bench

go 1.26.0

require (
	example.com/robots v0.0.0
	github.com/temoto/robotstxt v1.1.2
)

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace example.com/robots => ../..
