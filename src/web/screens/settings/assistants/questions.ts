import { ask } from '../../../api/query.ts';
import { askSignInOptions } from '../../../api/questions.ts';
import { askAgentSettings } from '../questions.ts';

export const askAssistantCalls = () => ask('listAssistantCalls', undefined);

export const assistantQuestions = () => [askAssistantCalls(), askSignInOptions(), askAgentSettings()];
