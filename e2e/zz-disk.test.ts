import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { hold, textReply } from '../src/testing/index.ts';
import { type Disk, diskKinds, makeDisk } from './support/disks.ts';
import { Stage } from './support/stage.ts';
let stage: Stage;
let disk: Disk | undefined;
beforeEach(async () => { stage = await Stage.open(); });
afterEach(async () => { try { for (const h of [1]) void h; } finally { await stage.close().catch(() => undefined); disk?.remove(); await stage.home.dispose(); } });
describe.each(diskKinds)('%s', (kind) => {
  it('start', async () => {
    disk = makeDisk(kind, stage.runDir);
    disk.fill();
    const end = await stage.start('pair', { through: disk.full }).end();
    writeFileSync(`/tmp/zz-start-${kind.slice(0,7)}.json`, JSON.stringify({ ...end, requests: stage.requests.length }, null, 1));
  });
  it('mid', async () => {
    disk = makeDisk(kind, stage.runDir);
    stage.say(hold('one', textReply('One is done.')), 'Two is done.');
    const host = stage.start('pair');
    await stage.held('one');
    disk.fill(host);
    stage.api.release('one');
    const end = await host.end();
    writeFileSync(`/tmp/zz-mid-${kind.slice(0,7)}.json`, JSON.stringify({ ...end, requests: stage.requests.length, rows: stage.rows() }, null, 1));
    disk.free();
    stage.say('More one', 'More two');
    const next = await stage.start('pair').end();
    writeFileSync(`/tmp/zz-next-${kind.slice(0,7)}.json`, JSON.stringify({ ...next, requests: stage.requests.length, rows: stage.rows(), heard: stage.heard(-1), heard2: stage.heard(-2) }, null, 1));
  });
});
