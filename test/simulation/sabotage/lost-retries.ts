/** Forgets a route that it could not create, and waits for something else to happen, as upstream does (T6). */
import type { RouteOperation } from '@tandem/provider/plug';
import { type OperationResult, RouteTables } from '@tandem/provider/routes';
import { CcmError } from '@tandem/runtime';
import type { Sabotage } from '../world/index.ts';
import { replaceMethod } from './replace-member.ts';

export const lostRetries: Sabotage = {
  name: 'does not try again to create a route that it could not create',
  replace() {
    const failed = new WeakMap<RouteTables, Set<string>>();
    return replaceMethod(
      RouteTables.prototype,
      'apply',
      (own) =>
        async function apply(this: RouteTables, operations, options): ReturnType<typeof own> {
          const known = failed.get(this) ?? new Set<string>();
          failed.set(this, known);
          const due = operations.filter((one) => !known.has(keyOf(one)));
          const results = new Map<string, OperationResult>();
          for (const [index, result] of (await own.call(this, due, options)).entries()) {
            const operation = due[index];
            if (operation === undefined) continue;
            results.set(keyOf(operation), result);
            if (result.kind !== 'applied') known.add(keyOf(operation));
          }
          return operations.map((one) => results.get(keyOf(one)) ?? forgotten);
        },
    );
  },
};

const forgotten: OperationResult = {
  kind: 'notSent',
  err: new CcmError('forgotten', { code: 'Forgotten', retry: 'backoff', effect: 'none' }),
};

function keyOf(operation: RouteOperation): string {
  const { kind, table } = operation;
  const what = kind === 'create' ? operation.destination : operation.route;
  return `${kind} ${table} ${what}`;
}
