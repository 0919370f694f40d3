/**
 * Has the SDK read one answer in a turn of the event loop. It parses a page of 200 instances in one go, for 40 to
 * 70 ms; two that arrive together would otherwise block everything else for twice as long.
 */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { EC2Client } from '@aws-sdk/client-ec2';
import { fieldOf, Turns } from '@tandem/provider/calls';

export function readInTurns(client: EC2Client): void {
  const turns = new Turns();
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request);
      const { response } = result;
      const body = fieldOf(response, 'body');
      if (!(body instanceof Readable)) return result;
      const bytes = await buffer(body);
      await turns.next();
      // With all bytes there, the SDK waits for nothing else before it parses them.
      return { ...result, response: Object.assign(response ?? {}, { body: bytes }) };
    },
    // Between the socket and the parser.
    { step: 'deserialize', priority: 'low', name: 'readInTurns' },
  );
}
