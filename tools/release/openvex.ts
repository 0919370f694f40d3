/**
 * What is known about vulnerabilities of packages that the image has, as an OpenVEX document. The statements
 * are kept in `security/vex-statements.json`. OpenVEX has no document without a statement, so that none is
 * made while that list is empty.
 */
export interface VexStatement {
  /** The name of the vulnerability, such as a CVE. */
  readonly vulnerability: string;
  /** The package of the image that it is about, as a package URL. */
  readonly component: string;
  readonly status: 'not_affected' | 'affected' | 'fixed' | 'under_investigation';
  /** Why the image is not affected; one of OpenVEX's own words. */
  readonly justification?: (typeof justifications)[number];
  /** What to do about it. */
  readonly action?: string;
}

const justifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;

const statuses = ['not_affected', 'affected', 'fixed', 'under_investigation'];

export interface VexOptions {
  /** The image as a package URL. */
  readonly product: string;
  readonly id: string;
  readonly author: string;
  readonly time: Date;
}

export function openVex(statements: readonly VexStatement[], options: VexOptions): object {
  if (statements.length === 0) throw new Error('OpenVEX has no document without a statement');
  const problems = statements.flatMap(problemsOf);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': options.id,
    author: options.author,
    timestamp: options.time.toISOString(),
    version: 1,
    statements: statements.map(({ vulnerability, component, status, justification, action }) => ({
      vulnerability: { name: vulnerability },
      products: [{ '@id': options.product, subcomponents: [{ '@id': component }] }],
      status,
      ...(justification !== undefined && { justification }),
      ...(action !== undefined && { action_statement: action }),
    })),
  };
}

/** By the rules of OpenVEX: a status says what else has to be said. */
function problemsOf(statement: VexStatement): string[] {
  const { vulnerability, component, status, justification, action } = statement;
  const name = `vex-statements.json: ${vulnerability}`;
  const isWord = justification === undefined || justifications.includes(justification);
  return [
    ...(vulnerability ? [] : ['vex-statements.json: a statement names no vulnerability']),
    ...(component.startsWith('pkg:') ? [] : [`${name}: the component is no package URL`]),
    ...(statuses.includes(status) ? [] : [`${name}: the status is ${status}`]),
    ...(isWord ? [] : [`${name}: the justification is ${justification}`]),
    ...((status === 'not_affected') === (justification !== undefined)
      ? []
      : [`${name}: a justification belongs to not_affected, and to nothing else`]),
    ...((status === 'affected') === (action !== undefined)
      ? []
      : [`${name}: an action belongs to affected, and to nothing else`]),
  ];
}
