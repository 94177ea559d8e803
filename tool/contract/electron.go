package contract

// ElectronDetails are the account of work with desktop apps.
type ElectronDetails struct {
}
