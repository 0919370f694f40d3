/** Reads the VIPs of the file. The core checks them; its problems get the lines of the file here. */
import { type Exclusion, readVips, type VipSettings } from '@tandem/core/node-address';
import type { Value, YamlValues } from '@tandem/cli/yaml';
import { vipFields } from './fields.ts';

/** The maximum number of entries that are read. The core accepts at most two. */
const entriesMax = 64;

export function readVipExclusions(
  source: YamlValues,
  value: Value | undefined,
): readonly Exclusion[] {
  const fields = value && source.fields(value, vipFields);
  if (value === undefined || fields === undefined) return [];
  const problemsBefore = source.problems.length;
  const places = new Map<string, Value>();
  const settings: VipSettings = {
    ...single('apiVIP'),
    ...several('apiVIPs'),
    ...single('ingressVIP'),
    ...several('ingressVIPs'),
    ...several('machineNetworks'),
  };
  // A value that is not a string would be reported a second time, as missing.
  if (source.problems.length > problemsBefore) return [];
  const read = readVips(settings);
  if (read.kind === 'exclusions') return read.exclusions;
  for (const { path, message } of read.problems) {
    const place = places.get(path) ?? value;
    source.refuse({ ...place, path: `${value.path}.${path}` }, message);
  }
  return [];

  function single(name: 'apiVIP' | 'ingressVIP'): VipSettings {
    const field = fields?.get(name);
    const text = source.text(field);
    if (field === undefined || text === undefined) return {};
    places.set(name, field);
    return { [name]: text };
  }

  function several(name: 'apiVIPs' | 'ingressVIPs' | 'machineNetworks'): VipSettings {
    const field = fields?.get(name);
    if (field === undefined) return {};
    places.set(name, field);
    const texts = source.list(field, entriesMax).flatMap((item, index) => {
      places.set(`${name}[${index}]`, item);
      return source.text(item) ?? [];
    });
    return { [name]: texts };
  }
}
