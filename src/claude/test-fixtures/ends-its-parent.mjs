// Carries the mark itself and is asked to end its own tree and that of its parent.
import { createJiti } from 'jiti';

const jiti = createJiti(import.meta.url);
const { endTree } = await jiti.import('../process-tree.ts');

const result = await endTree({ mark: process.env.FLOWER_MARK });
process.stdout.write(JSON.stringify(result));
