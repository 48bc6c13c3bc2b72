package main

import (
	"fmt"

	"example.com/robots"
)

func main() {
	file := robots.Parse([]byte("User-agent: *\nDisallow: /cart\nAllow: /cart/help"))
	fmt.Println(file.Allowed("MyBot", "https://shop.example/cart"))
	fmt.Println(file.Explain("MyBot", "https://shop.example/cart/help"))
}
