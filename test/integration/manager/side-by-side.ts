/**
 * Scenarios that mostly wait, for leases, polls and processes: the same one runs on all API servers at
 * once, and each is a test of its own that fails alone. On one server they still come one after the
 * other, in the order in which they are declared.
 */
import { besideOthers } from '../../control-plane/index.ts';
import { rootOf } from './root-suite.ts';

/** Declares the scenario of one server as a test. */
export type DeclareScenario = (title: string, run: () => Promise<void>) => void;

/** Declares what the tests of one server stand on. */
export type DeclareSetUp = (run: () => Promise<void>) => void;

type Start = (root: Mocha.Suite) => Promise<void>;

export class SideBySide {
  readonly #sides = new Map<string, Start[]>();

  /** For the body of one server's `describe`; `ready` resolves when that server is there. */
  declareOn(ready: Start): { readonly it: DeclareScenario; readonly before: DeclareSetUp } {
    let last: Promise<void> = Promise.resolve();
    const side = (title: string, run: () => Promise<void>): Start => {
      let running: Promise<void> | undefined;
      const start: Start = (root) => {
        if (running !== undefined) return running;
        running = last.then(() => ready(root)).then(run);
        // Its own test tells of a failure, when it comes to that.
        last = running.catch(() => undefined);
        void besideOthers(last);
        return running;
      };
      this.#sides.set(title, [...(this.#sides.get(title) ?? []), start]);
      return start;
    };
    const beginAll = async (title: string, root: Mocha.Suite, own: Start): Promise<void> => {
      for (const other of this.#sides.get(title) ?? []) void other(root).catch(() => undefined);
      await own(root);
    };
    return {
      it: (title, run) => {
        const start = side(title, run);
        it(title, async function () {
          await beginAll(title, rootOf(this), start);
        });
      },
      before: (run) => {
        const start = side(setUp, run);
        before(async function () {
          await beginAll(setUp, rootOf(this), start);
        });
      },
    };
  }
}

/** In place of a title; it is none. */
const setUp = '';
