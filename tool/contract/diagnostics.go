package contract

// DiagnosticDetails are what the tool found out beyond what the command said.
type DiagnosticDetails struct {
}
