/**
 * The headers by which a user acts as another one, from the `as…` fields of a kubeconfig.
 */
import { field, type Fields, type Place } from './fields.ts';

export function impersonation(user: Fields, place: Place): Record<string, string | string[]> {
  const name = field.text(user['as'], place.at('as'));
  const uid = field.text(user['as-uid'], place.at('as-uid'));
  const groups = texts(user['as-groups'], place.at('as-groups'));
  const extra = Object.entries(field.map(user['as-user-extra'], place.at('as-user-extra')));
  return {
    ...(name === undefined ? {} : { 'impersonate-user': name }),
    ...(uid === undefined ? {} : { 'impersonate-uid': uid }),
    ...(groups.length === 0 ? {} : { 'impersonate-group': groups }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key.toLowerCase())}`,
        texts(values, place.at(`as-user-extra["${key}"]`)),
      ]),
    ),
  };
}

function texts(value: unknown, place: Place): string[] {
  return field.list(value, place).flatMap((entry) => field.text(entry, place) ?? []);
}
