/** The provider behind `--cloud-provider=aws`: nodes are instances of Amazon EC2. */
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { createAWSProvider } from './aws-provider.ts';
import { SDKThread } from './sdk/sdk-thread.ts';

export function createProvider(context: ProviderContext): Promise<Provider> {
  return createAWSProvider(context, (client, onDate) => SDKThread.open(client, onDate));
}
