/**
 * Scenarios that mostly wait, for leases, polls and processes: the same one runs on all API servers at
 * once, and each is a test of its own that fails alone. On one server they still come one after the
 * other, in the order in which they are declared.
 */
import { rootOf } from './root-suite.ts';

/** Declares the scenario of one server as a test. */
export type DeclareScenario = (title: string, run: () => Promise<void>) => void;

type Start = (root: Mocha.Suite) => Promise<void>;

export class SideBySide {
  readonly #sides = new Map<string, Start[]>();

  /** For the body of one server's `describe`; `ready` resolves when that server is there. */
  declareOn(ready: Start): DeclareScenario {
    let last: Promise<void> = Promise.resolve();
    const sides = this.#sides;
    return (title, run) => {
      let running: Promise<void> | undefined;
      const start: Start = (root) => {
        if (running !== undefined) return running;
        running = last.then(() => ready(root)).then(run);
        // Its own test tells of a failure, when it comes to that.
        last = running.catch(() => undefined);
        keepUntilOver(last);
        return running;
      };
      sides.set(title, [...(sides.get(title) ?? []), start]);
      it(title, async function () {
        const root = rootOf(this);
        for (const other of sides.get(title) ?? []) void other(root).catch(() => undefined);
        await start(root);
      });
    };
  }
}

const begun = new Set<Promise<void>>();

function keepUntilOver(scenario: Promise<void>): void {
  begun.add(scenario);
  void scenario.then(() => begun.delete(scenario));
}

/** Resolves when nothing runs any more, what was begun beside a test that nobody asked for included. */
export async function scenariosOver(): Promise<void> {
  await Promise.all(begun);
}
