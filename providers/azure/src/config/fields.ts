/**
 * Reads the fields of a file that is one map, in YAML or JSON, which is YAML as well. It collects every problem with
 * its line, so that the user can fix all of them at once. Field names are case-insensitive, as in upstream's manager.
 * No problem repeats the value of a secret.
 */
import { type Value, YamlValues } from '@tandem/cli/yaml';
import { printable, quote } from '@tandem/core/node-address';
import { Secret } from './secret.ts';

type Pair = NonNullable<ReturnType<YamlValues['pairs']>>[number];

interface Field {
  /** The name as the file spells it. */
  readonly name: string;
  readonly value: Value;
}

export class Fields {
  readonly problems: string[] = [];
  readonly #yaml: YamlValues;
  /** By the name in lower case. */
  readonly #fields = new Map<string, Field>();

  private constructor(yaml: YamlValues, pairs: readonly Pair[]) {
    this.#yaml = yaml;
    for (const { key, keyPlace, value } of pairs) {
      if (typeof key !== 'string') this.#add(keyPlace, 'a field name is not a string');
      else if (this.#find(key)) this.#add(keyPlace, `${printable(key, 80)} appears twice`);
      else this.#fields.set(key.toLowerCase(), { name: key, value });
    }
  }

  /** Returns the fields of a file, or a text that says why it has none. */
  static read(text: string): Fields | string {
    const yaml = new YamlValues(text);
    const [problem] = yaml.problems;
    if (problem !== undefined) return `line ${problem.line}: ${problem.message}`;
    const pairs = yaml.pairs(yaml.document);
    return pairs === undefined ? 'it is not a map of fields' : new Fields(yaml, pairs);
  }

  /** The field names as the file spells them. */
  get names(): readonly string[] {
    return [...this.#fields.values()].map(({ name }) => name);
  }

  /** Adds a problem if a required field is missing, null or empty. */
  require(name: string): void {
    const value = this.#get(name) ?? '';
    const isEmpty = typeof value === 'string' && value.trim() === '';
    if (isEmpty) this.problems.push(`${name} is missing`);
  }

  /** Adds a problem with the value of a field. */
  refuse(name: string, problem: string): undefined {
    this.#add(this.#find(name)?.value, `${name} ${problem}`);
  }

  /** Reads a string; undefined if the field is missing, null or empty. */
  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string') return value.trim() || undefined;
    return this.refuse(name, 'must be a string. Put it in quotes');
  }

  /** Reads a name that becomes part of a request's path. */
  name(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || /^[\p{L}\p{N}_.()-]{1,128}$/u.test(text)) return text;
    return this.refuse(name, `${quote(text)} is not the name of a resource of Azure`);
  }

  guid(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || guidPattern.test(text)) return text;
    const example = '11111111-1111-4111-8111-111111111111';
    return this.refuse(name, `${quote(text)} must be a GUID, such as ${example}`);
  }

  /** Reads a tenant, which is a GUID or one of the tenant's domains. The tenant of AD FS is called `adfs`. */
  tenant(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || isTenant(text)) return text;
    return this.refuse(name, `${quote(text)} must be a GUID or the domain of a tenant`);
  }

  url(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || isHttpsUrl(text)) return text;
    return this.refuse(name, `${quote(text)} must be a URL that begins with https://`);
  }

  secret(name: string): Secret | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : new Secret(text);
  }

  /** Reads a boolean; false if the field is missing. */
  flag(name: string): boolean {
    const value = this.#get(name);
    if (value === undefined) return false;
    if (typeof value === 'boolean') return value;
    this.refuse(name, 'must be true or false, without quotes');
    return false;
  }

  /** Reads a positive number; undefined if the field is missing or 0, which upstream treats alike. */
  number(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || value === 0) return undefined;
    if (typeof value === 'number' && value > 0) return value;
    return this.refuse(name, 'must be a positive number, without quotes');
  }

  /** Reads a map of strings; empty if the field is missing. */
  texts(name: string): Readonly<Record<string, string>> {
    const value = this.#find(name)?.value;
    if (value === undefined || this.#get(name) === undefined) return {};
    const pairs = this.#yaml.pairs(value) ?? [{ key: undefined, value }];
    const texts: Record<string, string> = {};
    for (const { key, value: of } of pairs) {
      const text = this.#yaml.scalar(of);
      if (typeof key === 'string' && typeof text === 'string') texts[key] = text;
      else this.#add(of, `${name} must be a map of strings`);
    }
    return texts;
  }

  /**
   * Returns the value of a field; undefined if the field is missing or null. A value that is not a scalar, such as a
   * list, is returned as an object, so that no reader takes it for a missing field.
   */
  #get(name: string): unknown {
    const value = this.#find(name)?.value;
    if (value === undefined) return undefined;
    const scalar = this.#yaml.scalar(value);
    return scalar === undefined ? value : (scalar ?? undefined);
  }

  #find(name: string): Field | undefined {
    return this.#fields.get(name.toLowerCase());
  }

  #add(place: { readonly line: number } | undefined, problem: string): void {
    this.problems.push(place === undefined ? problem : `line ${place.line}: ${problem}`);
  }
}

const guidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const tenantName = /^(?:adfs|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

export function isTenant(text: string): boolean {
  return guidPattern.test(text) || tenantName.test(text);
}

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
