/**
 * How the JavaScript engine of a manager is set once it runs. In the start line these settings would cost
 * Node.js the code of its own modules that it has ready.
 */
import { setTimeout as startTimer } from 'node:timers';
import { setFlagsFromString } from 'node:v8';

/** Plenty for the nodes of a large cluster to be read. */
const cachesFilledMs = 5_000;

/** For the entry of a program, before all else. It keeps no program from ending. */
export function tuneEngine(): void {
  // What grew old is looked through after three tenths of growth instead of a doubling.
  setFlagsFromString('--heap-growing-percent=30');
  // The optimising compiler waits until the caches are filled: its threads would take their time from an
  // API server on the same machine. What is busy before then stays as the compiler below it has made it,
  // because such code does not count how often it runs.
  setFlagsFromString('--no-opt');
  // The parser of HTTP, which is WebAssembly, stays as it is first compiled: it looks at the heads of
  // answers only, and to optimise it takes 80 ms of a processor and 10 MB of the peak, amid the first list.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  startTimer(() => setFlagsFromString('--opt'), cachesFilledMs).unref();
}
