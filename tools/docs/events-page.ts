/** `docs/reference/events.md`: every event on nodes, when it is sent and what to do about it. */
import { type EventGroup, eventGroups, type EventNote } from './event-groups.ts';

export function renderEvents(): string {
  return `# The events

<!-- Made by \`npm run docs\` from the declarations of the events in packages/controllers and the refusals in packages/core. -->

All of them are about a Node and lie in the namespace \`default\`, as those of all objects without a namespace
do. \`kubectl describe node NAME\` shows them, or \`kubectl get events -A --field-selector involvedObject.name=NAME\`.
They are \`events.k8s.io/v1\`, or core events where the rights are for those only.

Reasons never change their meaning; alerts should go by reason and type. An event says once what changed.
A refusal and a held deletion stand: their event is counted on every thirty minutes, because the API server
forgets events after an hour, and no more once it is over. A dry run sends none.

${eventGroups.map(renderGroup).join('\n')}`;
}

function renderGroup({ controller, events }: EventGroup): string {
  return `## Of ${controller}\n\n${events.map(renderEvent).join('\n')}`;
}

function renderEvent({ reason, type, actions, meaning, remedy }: EventNote): string {
  const facts = `${type}, action ${actions.map((action) => `\`${action}\``).join(' or ')}`;
  return `### ${reason}\n\n${facts}\n\n${meaning}\n\n**What to do:** ${remedy}\n`;
}
