/** The grammars of names, labels and keys. Each function returns what is wrong. */
import { memoize } from '../memoize/index.ts';

/** Names of most objects. */
export function subdomainProblems(name: string): readonly string[] {
  return [
    ...(name.length > 253 ? ['must be no more than 253 bytes'] : []),
    ...(subdomain.test(name) ? [] : [subdomainRule]),
  ];
}

/** Names of namespaces. */
export function labelNameProblems(name: string): readonly string[] {
  if (name.includes('.')) return ['must not contain dots'];
  return [
    ...(name.length > 63 ? ['must be no more than 63 bytes'] : []),
    ...(dnsLabel.test(name) ? [] : [dnsLabelRule]),
  ];
}

/** Keys of labels, annotations and taints: `name` or `prefix/name`. */
export const qualifiedNameProblems: (key: string) => readonly string[] = memoize((key) => {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${qualifiedRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  return [...(prefix === undefined ? [] : prefixProblems(prefix)), ...namePartProblems(name)];
});

/** Values of labels and taints. */
export const labelValueProblems: (value: string) => readonly string[] = memoize((value) => [
  ...(value.length > 63 ? ['must be no more than 63 bytes'] : []),
  ...(labelValue.test(value) ? [] : [labelValueRule]),
]);

/** Keys of config maps. */
export function configKeyProblems(key: string): string[] {
  if (key.length > 253) return ['must be no more than 253 bytes'];
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) return [configKeyRule];
  return key === '.' || key === '..' ? [`must not be '${key}'`] : [];
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  return subdomainProblems(prefix).map((problem) => `prefix part ${problem}`);
}

function namePartProblems(name: string): string[] {
  if (name === '') return ['name part must be non-empty', `name part ${qualifiedRule}`];
  return [
    ...(name.length > 63 ? ['name part must be no more than 63 bytes'] : []),
    ...(qualifiedName.test(name) ? [] : [`name part ${qualifiedRule}`]),
  ];
}

const dnsLabel = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const qualifiedName = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(?:(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const ends = 'and must start and end with an alphanumeric character';
const used = 'regex used for validation is';

const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ends} (e.g. 'example.com', ${used} '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`;

const dnsLabelRule = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ends} (e.g. 'my-name',  or '123-abc', ${used} '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;

const qualifiedRule = `must consist of alphanumeric characters, '-', '_' or '.', ${ends} (e.g. 'MyName',  or 'my.name',  or '123-abc', ${used} '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;

const labelValueRule = `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ends} (e.g. 'MyValue',  or 'my_value',  or '12345', ${used} '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;

const configKeyRule = `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', ${used} '[-._a-zA-Z0-9]+')`;
