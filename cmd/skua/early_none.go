package main

// begun returns nothing: on this system a trip begins in main.
func begun() (*trip, *link) { return nil, nil }
