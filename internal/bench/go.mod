module example.com/robots/internal/bench

go 1.26.0

require (
	example.com/robots v0.0.0
	github.com/temoto/robotstxt v1.1.2
)

replace example.com/robots => ../..
