module example.com/robots

go 1.26.0
