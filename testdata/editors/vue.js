// Fields bound by Vue: at each input, when it is left (lazy), as a number, trimmed. `state()` is what the component holds.
import { createApp, reactive } from 'vue/dist/vue.esm-bundler.js';

const model = reactive({ eager: '', lazy: '', number: 0, trimmed: '', notes: '' });
window.state = () => ({ ...model });
createApp({
  setup: () => ({ model }),
  template: `
    <label>eager <input id="eager" v-model="model.eager"></label>
    <label>lazy <input id="lazy" v-model.lazy="model.lazy"></label>
    <label>number <input id="number" type="number" v-model.number="model.number"></label>
    <label>trimmed <input id="trimmed" v-model.trim="model.trimmed"></label>
    <label>notes <textarea id="notes" v-model="model.notes"></textarea></label>`,
}).mount(document.getElementById('editor'));
