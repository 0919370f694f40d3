/** The part of JSON Schema (draft 7) that the values of the chart are described with. */
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
  readonly propertyNames?: Schema;
  readonly additionalProperties?: boolean | Schema;
  /** Of a value that is shown whole: an object without it is shown by its properties. */
  readonly default?: unknown;
}

/** An object with these properties and no other: a name that is mistyped is refused. */
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
