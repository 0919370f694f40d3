/**
 * The parameters of one call, read as strictly as EC2 reads them: a name that the action does not have
 * is refused, and so is text where a number or a word is wanted.
 */
import { EC2Error, invalidValue, missing } from './error.ts';

/** How many values all filters of one call may have. */
const filterValuesMax = 200;

export interface Filter {
  readonly name: string;
  readonly values: readonly string[];
}

export class Query {
  readonly action: string;
  readonly #parameters: ReadonlyMap<string, string>;

  /** `body` is the form that an SDK posts. */
  constructor(body: string) {
    this.#parameters = new Map(new URLSearchParams(body));
    this.action = this.#parameters.get('Action') ?? '';
    if (this.#parameters.get('Version') !== '2016-11-15') {
      throw new EC2Error('NoSuchVersion', 'The requested version is not supported');
    }
  }

  /** Refuses parameters other than these; `Filter` stands for all of `Filter.1.Value.2`. */
  allow(...names: readonly string[]): void {
    const known = new Set(['Action', 'Version', 'DryRun', ...names]);
    for (const name of this.#parameters.keys()) {
      if (known.has(name.replace(/\.\d+(?:\..*)?$/, '')) || known.has(name)) continue;
      throw new EC2Error('UnknownParameter', `The parameter ${name} is not recognized`);
    }
  }

  /** What is asked, whatever the size of pages and the page. */
  get question(): string {
    const parameters = [...this.#parameters].filter(
      ([name]) => !/^(?:MaxResults|NextToken)$/.test(name),
    );
    return new URLSearchParams(parameters).toString();
  }

  get isDryRun(): boolean {
    return this.boolean('DryRun') ?? false;
  }

  /** The action, and whether EC2 is only asked whether it would allow it. */
  get name(): string {
    return this.isDryRun ? `${this.action} (dry run)` : this.action;
  }

  text(name: string): string | undefined {
    return this.#parameters.get(name);
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw missing(name);
    return value;
  }

  boolean(name: string): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') throw invalidValue(value, name);
    return value === 'true';
  }

  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d+$/.test(value)) throw invalidValue(value, name);
    return Number(value);
  }

  /** `InstanceId.1`, `InstanceId.2` … in their order. */
  list(name: string): readonly string[] {
    const values: string[] = [];
    for (let index = 1; ; index++) {
      const value = this.#parameters.get(`${name}.${index}`);
      if (value === undefined) return values;
      values.push(value);
    }
  }

  filters(): readonly Filter[] {
    const filters: Filter[] = [];
    for (let index = 1; ; index++) {
      const name = this.#parameters.get(`Filter.${index}.Name`);
      if (name === undefined) break;
      filters.push({ name, values: this.list(`Filter.${index}.Value`) });
    }
    const count = filters.reduce((sum, { values }) => sum + values.length, 0);
    if (count <= filterValuesMax) return filters;
    throw new EC2Error(
      'FilterLimitExceeded',
      `The maximum number of filter values specified on a single call is ${filterValuesMax}`,
    );
  }
}
