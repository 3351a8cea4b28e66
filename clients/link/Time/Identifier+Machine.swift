package import Transport
package import WatchTransfer

extension Identifier {
  /// A fresh id, by the machine's randomness.
  package init(from machine: any Machine) {
    self.init(high: machine.random(), low: machine.random())
  }
}
