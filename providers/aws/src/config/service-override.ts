/** `[ServiceOverride "1"]`: an endpoint in place of the service's own, in one region. */
import { quote } from '@tandem/core/node-address';
import type { Section } from './read-sections.ts';
import { SettingsProblem, valuesOf } from './values.ts';

export interface ServiceOverride {
  readonly region: string;
  readonly url: string;
  readonly signingRegion: string;
}

/** Those of EC2, whatever the case of its name. */
export function readOverrides(sections: readonly Section[]): readonly ServiceOverride[] {
  const overrides = sections.filter(({ name }) => name === 'serviceoverride').flatMap(readOverride);
  for (const [index, { region }] of overrides.entries()) {
    if (overrides.findIndex((one) => one.region === region) === index) continue;
    throw new SettingsProblem(`EC2 has two ServiceOverrides for region ${quote(region)}`);
  }
  return overrides;
}

/** Those of other services are no business of ours. */
function readOverride({ title, entries }: Section): ServiceOverride[] {
  const required = (key: string): string => {
    const value = valuesOf(entries, key).at(-1)?.value;
    if (value) return value;
    throw new SettingsProblem(`[ServiceOverride ${quote(title)}] has no ${key}`);
  };
  const override = {
    region: required('Region'),
    url: required('URL'),
    signingRegion: required('SigningRegion'),
  };
  if (!URL.canParse(override.url)) {
    throw new SettingsProblem(`[ServiceOverride ${quote(title)}] has an invalid URL`);
  }
  return required('Service').toLowerCase() === 'ec2' ? [override] : [];
}
