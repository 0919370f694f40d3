/**
 * An array whose indexes may be few and far apart. A Map would do, but a key that is deleted and set again
 * leaves a hole that V8 walks past from then on: among 262,144 entries, one block that comes and goes makes
 * its own look-up a hundred times slower.
 */
export class PagedArray<Value> {
  readonly #pages = new Map<number, Page<Value>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get(index: number): Value | undefined {
    return this.#pages.get(Math.floor(index / pageSize))?.values[index % pageSize];
  }

  /** At an index that has no value yet. */
  set(index: number, value: Value): void {
    const page = this.#pageOf(index);
    page.values[index % pageSize] = value;
    page.count += 1;
    this.#count += 1;
  }

  /** At an index that has a value. A page without values is removed. */
  delete(index: number): void {
    const page = this.#pageOf(index);
    page.values[index % pageSize] = undefined;
    page.count -= 1;
    this.#count -= 1;
    if (page.count === 0) this.#pages.delete(Math.floor(index / pageSize));
  }

  *values(): Generator<Value> {
    for (const page of this.#pages.values()) {
      for (const value of page.values) if (value !== undefined) yield value;
    }
  }

  #pageOf(index: number): Page<Value> {
    const number = Math.floor(index / pageSize);
    const existing = this.#pages.get(number);
    if (existing !== undefined) return existing;
    const page: Page<Value> = { values: emptyPage.slice(), count: 0 };
    this.#pages.set(number, page);
    return page;
  }
}

const pageSize = 64;
const emptyPage: readonly undefined[] = Array.from({ length: pageSize }, () => undefined);

interface Page<Value> {
  readonly values: (Value | undefined)[];
  count: number;
}
