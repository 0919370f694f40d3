/**
 * A policy has a label selector and a request for the selected nodes. Selectors work as everywhere
 * in Kubernetes: an empty one selects all nodes.
 */
export interface NodeIPPolicy {
  readonly name: string;
  readonly selector: LabelSelector;
  readonly request: string;
  /** Overrides kubelet's request, because many distributions always pass a literal `--node-ip`. */
  readonly overridesKubelet: boolean;
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelExpression[];
}

export type LabelExpression =
  | { readonly key: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' };

type Labels = Readonly<Record<string, string>>;

/** The first policy in the order of the configuration whose selector matches. */
export function findPolicy(
  policies: readonly NodeIPPolicy[],
  labels: Labels,
): NodeIPPolicy | undefined {
  return policies.find(({ selector }) => matchesSelector(selector, labels));
}

export function matchesSelector(selector: LabelSelector, labels: Labels): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labelOf(labels, key) === value) &&
    matchExpressions.every((expression) => matchesExpression(expression, labels))
  );
}

function matchesExpression(expression: LabelExpression, labels: Labels): boolean {
  const value = labelOf(labels, expression.key);
  switch (expression.operator) {
    case 'In':
      return value !== undefined && expression.values.includes(value);
    case 'NotIn':
      // A node without the label matches, as in Kubernetes.
      return value === undefined || !expression.values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}

/** Labels are external data: a key such as `constructor` must not find an inherited property. */
function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}
