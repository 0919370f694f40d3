/** Never hears that a node was deleted, and so remembers it for ever (M6). */
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const deafToDeletions: Sabotage = {
  name: 'remembers nodes that are gone',
  transport: (inner) =>
    wrapped(inner, async (request) => {
      const answer = await inner.send(request);
      const isWatch = request.path.includes('/nodes?') && request.path.includes('watch=');
      return isWatch ? { ...answer, body: withoutDeletions(answer.body) } : answer;
    }),
};

async function* withoutDeletions(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + new TextDecoder().decode(chunk)).split('\n');
    rest = lines.pop() ?? '';
    const kept = lines.filter((line) => !line.includes('"type":"DELETED"'));
    if (kept.length > 0) yield new TextEncoder().encode(`${kept.join('\n')}\n`);
  }
}
