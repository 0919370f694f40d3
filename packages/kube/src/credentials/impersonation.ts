/**
 * The headers by which a user acts as another one, from the `as…` fields of a kubeconfig.
 */
import { field, type Fields, type FieldPath } from './fields.ts';

export function impersonation(user: Fields, path: FieldPath): Record<string, string | string[]> {
  const name = field.text(user['as'], path.at('as'));
  const uid = field.text(user['as-uid'], path.at('as-uid'));
  const groups = texts(user['as-groups'], path.at('as-groups'));
  const extra = Object.entries(field.map(user['as-user-extra'], path.at('as-user-extra')));
  return {
    ...(name === undefined ? {} : { 'impersonate-user': name }),
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
        texts(values, path.at(`as-user-extra["${key}"]`)),
      ]),
    ),
  };
}

function texts(value: unknown, path: FieldPath): string[] {
  return field.list(value, path).flatMap((entry) => field.text(entry, path) ?? []);
}
