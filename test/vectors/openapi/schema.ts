/** Whether an object of Kubernetes fits the OpenAPI document of a release: names, kinds of values, what is required. */

/** The part of OpenAPI 2 that Kubernetes uses. */
export interface Definition {
  readonly type?: string;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Definition>>;
  readonly items?: Definition;
  readonly additionalProperties?: Definition;
  readonly $ref?: string;
}

export type Definitions = Readonly<Record<string, Definition>>;

/** What `extract.ts` writes. */
export interface Minor {
  readonly version: string;
  /** The definition of each kind, by `group/version/kind`. */
  readonly roots: Readonly<Record<string, string>>;
  readonly definitions: Definitions;
}

/** All of it, by path; undefined where the document does not have the kind. */
export function problemsOf(object: object, minor: Minor): string[] | undefined {
  const root = minor.roots[`${Reflect.get(object, 'apiVersion')}/${Reflect.get(object, 'kind')}`];
  if (root === undefined) return undefined;
  return check(object, { $ref: `#/definitions/${root}` }, '', minor.definitions);
}

function check(value: unknown, schema: Definition, path: string, all: Definitions): string[] {
  if (schema.$ref !== undefined) {
    const target = all[schema.$ref.replace('#/definitions/', '')];
    return target === undefined ? [`${path}: no ${schema.$ref}`] : check(value, target, path, all);
  }
  if (!isOfType(value, schema)) return [`${path}: ${JSON.stringify(value)} is no ${schema.type}`];
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value.flatMap((each, index) => check(each, items, `${path}[${index}]`, all));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties, additionalProperties, required = [] } = schema;
  const missing = required.filter((name) => !(name in value));
  return [
    ...missing.map((name) => `${path}.${name}: is missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const own = properties?.[name] ?? additionalProperties;
      // Without either, any fields are allowed.
      if (own !== undefined) return check(each, own, `${path}.${name}`, all);
      return properties === undefined ? [] : [`${path}.${name}: is not known`];
    }),
  ];
}

function isOfType(value: unknown, { type, format }: Definition): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' || (format === 'int-or-string' && Number.isInteger(value));
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return true;
  }
}
