package audit

// knownSpaced reports a crawler's name with spaces.
func knownSpaced(value string) bool { return false }
