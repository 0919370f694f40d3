/**
 * Free loopback ports below the range that the kernel gives to outgoing connections. While the API server is down for
 * a restart, any client could take a port of that range, and a client that dials it could even connect to itself.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';

export const loopback = '127.0.0.1';

/** Linux hands out 32768 and above to outgoing connections, macOS 49152 and above. */
const first = 20_000;
const last = 32_767;

// Processes that start together begin at different ports, and a process never offers a port twice in a row.
let next = first + ((process.pid * 97) % (last - first));

export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = first; ports.length < count && tries <= last; tries += 1) {
    const candidate = next;
    next = next === last ? first : next + 1;
    if (await isFree(candidate)) ports.push(candidate);
  }
  return ports;
}

/** Whether a server could listen on the port now. */
export async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host: loopback, port, exclusive: true });
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
