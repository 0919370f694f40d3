/** `[ServiceOverride "1"]`: an endpoint in place of the service's own, in one region. */
import { quote } from '@tandem/core/node-address';
import type { Section } from './read-sections.ts';
import { lastOf, type Problems } from './values.ts';

export interface ServiceOverride {
  readonly region: string;
  readonly url: string;
  readonly signingRegion: string;
}

/** Those of EC2, whatever the case of its name. Those of other services are no business of ours. */
export function readOverrides(
  sections: readonly Section[],
  problems: Problems,
): readonly ServiceOverride[] {
  const overrides = new Map<string, ServiceOverride>();
  for (const section of sections.filter(({ name }) => name === 'serviceoverride')) {
    const { service, ...override } = readOverride(section, problems);
    const { region } = override;
    if (service.toLowerCase() !== 'ec2' || region === '') continue;
    if (overrides.has(region)) {
      problems.add(section.line, `EC2 has two ServiceOverrides for region ${quote(region)}`);
    }
    overrides.set(region, override);
  }
  return [...overrides.values()];
}

/** What is missing is empty, and a problem. */
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
  // Not shown: there may be a password in it.
  if (url !== '' && !URL.canParse(url)) {
    problems.add(lastOf(entries, 'URL')?.line ?? line, `${what} has an invalid URL`);
  }
  return { service, region, url, signingRegion };
}
