//go:build js && wasm

// Command wasm is the library as the page runs it, in a Web Worker: it sets the
// global function "answer", which takes a request and returns a reply, both
// JSON (see package answer).
package main

import (
	"syscall/js"

	"example.com/robots/examples/playground/answer"
)

func main() {
	js.Global().Set("answer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return answer.Answer(args[0].String())
	}))
	select {}
}
