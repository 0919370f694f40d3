/** Reads `[ServiceOverride "1"]`, which replaces a service's endpoint in one region. */
import { quote } from '@tandem/core/node-address';
import { isHttpUrl } from '../endpoint.ts';
import type { Section } from './read-sections.ts';
import { lastOf, type Problems } from './values.ts';

export interface ServiceOverride {
  readonly region: string;
  readonly url: string;
  readonly signingRegion: string;
}

/** Returns the overrides for EC2, in any case. Tandem calls no other service, so it ignores the rest. */
export function readOverrides(
  sections: readonly Section[],
  problems: Problems,
): readonly ServiceOverride[] {
  const overrides = new Map<string, ServiceOverride>();
  for (const section of sections.filter(({ name }) => name === 'serviceoverride')) {
    const { service, ...override } = readOverride(section, problems);
    const { region } = override;
    if (service.toLowerCase() !== 'ec2' || region === '') continue;
    const name = lastOf(section.entries, 'SigningName');
    if (name !== undefined && name.value !== 'ec2') {
      const what = `[ServiceOverride ${quote(section.title)}] has SigningName ${quote(name.value)}`;
      problems.add(name.line, `${what}, but Tandem signs calls to EC2 as ec2`);
    }
    if (overrides.has(region)) {
      problems.add(section.line, `EC2 has two ServiceOverrides for region ${quote(region)}`);
    }
    overrides.set(region, override);
  }
  return [...overrides.values()];
}

/** A missing value is reported as a problem and read as empty. */
function readOverride(
  { title, line, entries }: Section,
  problems: Problems,
): ServiceOverride & { readonly service: string } {
  const what = `[ServiceOverride ${quote(title)}]`;
  const required = (key: string): string => {
    const value = lastOf(entries, key)?.value ?? '';
    if (value === '') problems.add(line, `${what} has no ${key}`);
    return value;
  };
  const [service, region, signingRegion] = [
    required('Service'),
    required('Region'),
    required('SigningRegion'),
  ];
  const url = required('URL');
  // The message does not quote the URL, because it may contain a password.
  if (url !== '' && !isHttpUrl(url)) {
    const urlLine = lastOf(entries, 'URL')?.line ?? line;
    problems.add(urlLine, `${what} has a URL that is not http or https`);
  }
  return { service, region, url, signingRegion };
}
