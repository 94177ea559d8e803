package contract

// ScriptDetails are the account of a script's run.
type ScriptDetails struct {
}
