package main

func Example() {
	main()
	// Output:
	// false
	// allowed by line 3 "Allow: /cart/help" (group *)
}
