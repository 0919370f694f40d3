/**
 * Reads fields of a parsed document and collects every problem, so that the user can fix all of them at once. Field
 * names are case-insensitive, as in upstream's manager. No problem repeats the value of a secret.
 */
import { quote } from '@tandem/core/node-address';
import { isRecord } from '@tandem/runtime';
import { Secret } from './secret.ts';

export class Fields {
  readonly problems: string[] = [];
  readonly #values: ReadonlyMap<string, { readonly name: string; readonly value: unknown }>;

  constructor(document: Readonly<Record<string, unknown>>) {
    this.#values = new Map(
      Object.entries(document).map(([name, value]) => [name.toLowerCase(), { name, value }]),
    );
  }

  /** The field names as the document spells them. */
  get names(): readonly string[] {
    return [...this.#values.values()].map(({ name }) => name);
  }

  /** Returns whether the field has a value that is neither null nor empty. */
  has(name: string): boolean {
    return (this.#get(name) ?? '') !== '';
  }

  /** Reads a string; undefined if the field is missing, null or empty. */
  text(name: string): string | undefined {
    const value = this.#get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string') return value.trim() || undefined;
    this.problems.push(`${name} must be a string. Put it in quotes`);
    return undefined;
  }

  /** Reads a name that becomes part of a request's path. */
  name(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || /^[\p{L}\p{N}_.()-]{1,128}$/u.test(text)) return text;
    this.problems.push(`${name} ${quote(text)} is not the name of a resource of Azure`);
    return undefined;
  }

  guid(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || guidPattern.test(text)) return text;
    this.problems.push(
      `${name} ${quote(text)} must be a GUID, such as 11111111-1111-4111-8111-111111111111`,
    );
    return undefined;
  }

  /** Reads a tenant, which is a GUID or one of the tenant's domains. The tenant of AD FS is called `adfs`. */
  tenant(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || guidPattern.test(text) || tenantName.test(text)) return text;
    this.problems.push(`${name} ${quote(text)} must be a GUID or the domain of a tenant`);
    return undefined;
  }

  url(name: string): string | undefined {
    const text = this.text(name);
    if (text === undefined || isHttpsUrl(text)) return text;
    this.problems.push(`${name} ${quote(text)} must be a URL that begins with https://`);
    return undefined;
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
    this.problems.push(`${name} must be true or false, without quotes`);
    return false;
  }

  /** Reads a positive number; undefined if the field is missing or 0, which upstream treats alike. */
  number(name: string): number | undefined {
    const value = this.#get(name);
    if (value === undefined || value === 0) return undefined;
    if (typeof value === 'number' && value > 0) return value;
    this.problems.push(`${name} must be a positive number, without quotes`);
    return undefined;
  }

  /** Reads a map of strings; empty if the field is missing. */
  texts(name: string): Readonly<Record<string, string>> {
    const value = this.#get(name);
    if (value === undefined) return {};
    const texts: Record<string, string> = {};
    const isMap = isRecord(value);
    const entries: [string, unknown][] = isMap ? Object.entries(value) : [];
    for (const [key, text] of entries) if (typeof text === 'string') texts[key] = text;
    if (isMap && Object.keys(texts).length === entries.length) return texts;
    this.problems.push(`${name} must be a map of strings`);
    return {};
  }

  /** Returns the value of a field. A null counts as missing. */
  #get(name: string): unknown {
    return this.#values.get(name.toLowerCase())?.value ?? undefined;
  }
}

const guidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const tenantName = /^(?:adfs|[a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

function isHttpsUrl(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === 'https:';
}
