/** One call that arrived: which operation it is, with what parameters, read as strictly as ARM reads them. */
import type { IncomingHttpHeaders } from 'node:http';
import { ArmError } from './error.ts';

export interface ArmRequest {
  /** As the SDKs name it: `virtualMachines.list`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** What stands in the path: subscription, resourceGroup, name … */
  readonly parts: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** What a role has to allow. */
  readonly actions: readonly string[];
}

/** The groups of `path`, a template such as `/subscriptions/{subscription}`; names of types have no case. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parts: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith('{')) parts[segment.slice(1, -1)] = decodeURIComponent(value);
    else if (segment.toLowerCase() !== value.toLowerCase()) return undefined;
  }
  return parts;
}

export interface QueryRules {
  readonly type: string;
  readonly versions: readonly string[];
  readonly parameters?: Readonly<Record<string, RegExp>>;
}

export function requireQuery(query: Readonly<Record<string, string>>, rules: QueryRules): void {
  const version = query['api-version'];
  if (version === undefined) {
    const message = 'The api-version query parameter (?api-version=) is required for all requests.';
    throw new ArmError('MissingApiVersionParameter', message);
  }
  if (!rules.versions.includes(version)) {
    const message = `No registered resource provider found for location 'westeurope' and API version '${version}' for type '${rules.type}'. The supported api-versions are '${rules.versions.join(', ')}'.`;
    throw new ArmError('NoRegisteredProviderFound', message);
  }
  for (const [name, value] of Object.entries(query)) {
    if (name === 'api-version' || name === '$skiptoken') continue;
    const pattern = rules.parameters?.[name];
    if (pattern === undefined) {
      throw new ArmError(
        'InvalidQueryParameter',
        `The query parameter '${name}' is not recognized.`,
      );
    }
    if (!pattern.test(value)) {
      throw new ArmError(
        'InvalidParameter',
        `The value '${value}' of parameter '${name}' is invalid.`,
      );
    }
  }
}
