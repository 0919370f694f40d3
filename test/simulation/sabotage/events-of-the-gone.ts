/** Keeps refusals alive for ever, also those of nodes that are gone (M6). */
import type { TransportRequest } from '@tandem/kube/transport';
import type { Sabotage } from '../world/index.ts';
import { wrapped } from './wrap-transport.ts';

export const eventsOfTheGone: Sabotage = {
  name: 'renews refusals of nodes that are gone',
  transport(inner) {
    const said: TransportRequest[] = [];
    let renewals = 0;
    return wrapped(inner, async (request) => {
      const { method, path, body, signal } = request;
      const isEvent = method === 'POST' && path.includes('/events');
      if (isEvent && String(body).includes('"Warning"')) said.push(request);
      const isRenewal = method === 'PUT' && path.includes('/leases/');
      const again = isRenewal ? said[renewals++ % Math.max(said.length, 1)] : undefined;
      if (again !== undefined) {
        await inner
          .send({ ...again, signal, body: renamed(again, renewals) })
          .catch(() => undefined);
      }
      return inner.send(request);
    });
  },
};

/** The same event under another name, so that it is stored. */
function renamed({ body }: TransportRequest, number: number): string {
  const event = JSON.parse(String(body));
  const name = `${event.metadata.name}.${number}`;
  return JSON.stringify({ ...event, metadata: { ...event.metadata, name } });
}
