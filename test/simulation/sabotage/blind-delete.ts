/** Deletes nodes by their name alone, whoever has it by then (P2, P3). */
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const blindDelete: Sabotage = {
  name: 'deletes nodes without preconditions',
  transport: (inner) =>
    wrapped(inner, (request) =>
      inner.send(request.method === 'DELETE' ? { ...request, body: '{}' } : request),
    ),
};
