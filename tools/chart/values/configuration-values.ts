/**
 * The schema of the `--config` file as a value of the chart. Names and meanings come from the field tables of the
 * manager. The schema checks only the form of addresses and networks; the manager checks them when it starts.
 */
import type { FieldTable } from '@tandem/cli/yaml';
import { fieldTables } from '@tandem/manager/config';
import { addressText, networkText, requestText, type Schema, strictObject } from './schema.ts';

const text: Schema = { type: 'string', minLength: 1 };
const listOf = (items: Schema): Schema => ({ type: 'array', items });

const expression = fieldsAt('nodeIPPolicies[].selector.matchExpressions[]', {
  key: text,
  operator: { type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist'] },
  values: listOf({ type: 'string' }),
});

const selector = fieldsAt('nodeIPPolicies[].selector', {
  matchLabels: { type: 'object', additionalProperties: { type: 'string' } },
  matchExpressions: listOf(expression),
});

const types = ['InternalIP', 'ExternalIP', 'Hostname', 'InternalDNS', 'ExternalDNS'];
const mask = (maximum: number): Schema => ({ type: 'integer', minimum: 1, maximum });
const onePerFamily = (items: Schema): Schema => ({ ...listOf(items), minItems: 1, maxItems: 2 });

const fields: Readonly<Record<string, Schema>> = {
  nodeIPPolicies: listOf(
    fieldsAt('nodeIPPolicies[]', {
      name: text,
      selector,
      request: requestText,
      overridesKubelet: { type: 'boolean' },
    }),
  ),
  excludeCIDRs: listOf(
    fieldsAt('excludeCIDRs[]', {
      cidr: networkText,
      type: { type: 'string', enum: types },
      reason: { type: 'string' },
    }),
  ),
  vips: fieldsAt('vips', {
    apiVIP: addressText,
    apiVIPs: onePerFamily(addressText),
    ingressVIP: addressText,
    ingressVIPs: onePerFamily(addressText),
    machineNetworks: listOf(networkText),
  }),
  podCIDRPools: listOf(
    fieldsAt('podCIDRPools[]', {
      name: text,
      selector,
      cidrs: onePerFamily(networkText),
      nodeMaskSizes: fieldsAt('podCIDRPools[].nodeMaskSizes', { IPv4: mask(32), IPv6: mask(128) }),
    }),
  ),
  routes: strictObject({ selector }),
};

/** The fields of the file, without apiVersion and kind. */
export function configurationValues(): Record<string, Schema> {
  const { properties = {} } = describe(tableAt(''), {
    apiVersion: text,
    kind: text,
    ...fields,
  });
  const { apiVersion: _, kind: _kind, ...rest } = properties;
  return rest;
}

function fieldsAt(path: string, values: Readonly<Record<string, Schema>>): Schema {
  return describe(tableAt(path), values);
}

function tableAt(path: string): FieldTable {
  const table = fieldTables.find((each) => each.path === path);
  if (table === undefined) throw new Error(`the configuration has no fields at "${path}"`);
  return table.fields;
}

/** Fails for a field that only the manager or only the chart has. */
function describe(table: FieldTable, values: Readonly<Record<string, Schema>>): Schema {
  const unknown = Object.keys(values).filter((name) => table[name] === undefined);
  if (unknown.length > 0) throw new Error(`the manager has no field ${unknown.join(', ')}`);
  const required = Object.keys(table).filter((name) => table[name]?.isRequired);
  const properties = Object.entries(table).map(([name, { meaning }]): [string, Schema] => {
    const value = values[name];
    if (value === undefined) throw new Error(`the chart has no schema for the field ${name}`);
    return [name, { description: meaning, ...value }];
  });
  return strictObject(Object.fromEntries(properties), required.length > 0 ? { required } : {});
}
