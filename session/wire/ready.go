package wire

// Ready is what a host writes to its standard output when clients can connect. Anything else, up to the end of the
// stream, is a sentence that says why it does not run.
const Ready = "ready\n"
