import { randomUUID } from 'node:crypto';
import { type ScriptedApi, startScriptedApi } from '../../testing/index.ts';
import { endTree, killTreeOnce } from '../../claude/process-tree.ts';
import { startWatcher, type Watcher } from '../../claude/watcher.ts';
import type { Language } from '../locales/language.ts';
import { type DemoCommand, startCommand } from './demo-command.ts';
import { createDemoModel, type DemoModel } from './demo-model.ts';
import { createDemoProject, type DemoProject } from './demo-project.ts';
import { openMarks } from './evidence.ts';

/** Who looks at the demo from outside. */
export interface DemoAudience {
  readonly language: Language;
  /** `PATH` of this process. */
  readonly path: string | undefined;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}

/** Project, model and processes of one demo. */
export class DemoStage {
  readonly project: DemoProject;
  readonly api: ScriptedApi;
  readonly model: DemoModel;
  readonly signal: AbortSignal;
  readonly #watcher: Watcher;
  readonly #running = new Set<DemoCommand>();

  private constructor(parts: {
    readonly project: DemoProject;
    readonly api: ScriptedApi;
    readonly model: DemoModel;
    readonly signal: AbortSignal;
  }) {
    this.project = parts.project;
    this.api = parts.api;
    this.model = parts.model;
    this.signal = parts.signal;
    this.#watcher = startWatcher();
  }

  /** Starts the API and makes the project; `end` takes down what runs. */
  static async open({ language, path, signal }: DemoAudience): Promise<DemoStage> {
    let workspace = '';
    const model = createDemoModel(() => workspace);
    const api = await startScriptedApi({ script: model.script });
    try {
      const apiEnv = { ...api.env(), FLOWER_LANG: language };
      const project = await createDemoProject({ apiEnv, path });
      workspace = project.workspace;
      return new DemoStage({ project, api, model, signal });
    } catch (error) {
      await api.close();
      throw error;
    }
  }

  /** Starts `flower <args>` in the project; it dies with this process. */
  start(name: string, args: readonly string[]): DemoCommand {
    const mark = `demo-${randomUUID()}`;
    const command = startCommand({ name, args, mark, project: this.project });
    this.#running.add(command);
    this.#watcher.add(command.pid, mark);
    void command.ended.then(() => {
      this.#running.delete(command);
      this.#watcher.remove(command.pid);
    });
    return command;
  }

  /** For signals: ends every process of the demo. Synchronous; never throws. */
  rescue(): void {
    for (const command of this.#running) command.kill();
    try {
      for (const mark of openMarks(this.project.runDir)) killTreeOnce({ mark });
    } catch {
      // The database can't be read at this moment; the watcher of the killed run ends its agents.
    }
  }

  /** Ends what still runs and closes the API. The project stays. */
  async end(): Promise<void> {
    const commands = [...this.#running];
    for (const command of commands) command.kill();
    await Promise.all(commands.map(({ ended }) => ended));
    for (const mark of openMarks(this.project.runDir)) await endTree({ mark });
    this.#watcher.stop();
    await this.api.close();
  }
}
