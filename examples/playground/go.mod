module example.com/robots/examples/playground

go 1.26.0

require example.com/robots v0.0.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace example.com/robots => ../..
