/** The part of JSON Schema (draft 7) that describes the values of the chart. */
export interface Schema {
  readonly $schema?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  /** Documents show a value with a default as a whole, and an object without one by its properties. */
  readonly default?: unknown;
}

/** An object with only these properties, so that a mistyped name is refused. */
export function strictObject(
  properties: Readonly<Record<string, Schema>>,
  more: Schema = {},
): Schema {
  return { type: 'object', ...more, additionalProperties: false, properties };
}

/** A map from names to texts, such as labels. */
export function textMap(description: string): Schema {
  return { description, type: 'object', additionalProperties: { type: 'string' }, default: {} };
}

/** A list of objects of Kubernetes that the API server checks; each has a name. */
export function namedObjects(description: string): Schema {
  const name = { type: 'string', minLength: 1 };
  return {
    description,
    type: 'array',
    items: { type: 'object', required: ['name'], properties: { name } },
    default: [],
  };
}

/** The characters of addresses. The manager checks whether they form an address. */
const address = '[0-9A-Fa-f:.]+';
const ipv4Network = '[0-9.]+/0*([0-9]|[12][0-9]|3[0-2])';
const ipv6Network = '[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/0*([0-9]{1,2}|1[01][0-9]|12[0-8])';
const prefixed = `(${ipv4Network}|${ipv6Network})`;

/** Looks like an IP address. */
export const addressText: Schema = { type: 'string', pattern: `^${address}$` };

/** Looks like what a node may ask for: families and addresses, one or two of them. */
const token = `(IPv4|IPv6|${address})`;
export const requestText: Schema = { type: 'string', pattern: `^${token}(,${token})?$` };

/** Looks like a network: its prefix length is one of its family. */
export const networkText: Schema = { type: 'string', pattern: `^${prefixed}$` };

/** Networks as a flag has them: a list, or a text with commas, which may be empty. */
export const networkList: Schema = {
  type: ['string', 'array'],
  pattern: `^\\s*(${prefixed}(,${prefixed})*)?\\s*$`,
  items: networkText,
};
