module example.com/robots/examples

go 1.26.0

require example.com/robots v0.0.0

replace example.com/robots => ../
