import {parser, trackVariables} from "lezer-feel";
import {SaxesParser} from "saxes";
import {readFileSync, readdirSync} from "node:fs";
let n=0, bad=[];
const t0=process.hrtime.bigint();
for (const level of ["compliance-level-2","compliance-level-3"]) for (const f of readdirSync(`/work/shared/tck/${level}`)) for (const g of readdirSync(`/work/shared/tck/${level}/${f}`)) if (g.endsWith(".dmn")) {
  const xml=readFileSync(`/work/shared/tck/${level}/${f}/${g}`,"utf8");
  const p=new SaxesParser({xmlns:false}); let names={}, texts=[], cur=null, stack=[];
  p.on("opentag",t=>{const l=t.name.replace(/.*:/,""); stack.push(l); if(["variable","contextEntry","inputData","decision","businessKnowledgeModel","formalParameter","itemDefinition","itemComponent","decisionService"].includes(l)&&t.attributes.name) names[t.attributes.name]=1; if(l==="text") cur="";});
  p.on("text",t=>{if(cur!==null)cur+=t}); p.on("cdata",t=>{if(cur!==null)cur+=t});
  p.on("closetag",t=>{const l=stack.pop(); if(l==="text"){texts.push([cur,stack.at(-1)]);cur=null;}});
  p.write(xml).close();
  for (const [t,where] of texts) { if(["outputEntry","literalExpression","inputExpression","defaultOutputEntry"].includes(where)===false && where!=="inputEntry") continue;
    n++; const top = where==="inputEntry"?"UnaryTests":"Expression";
    const tree=parser.configure({top,contextTracker:trackVariables(names)}).parse(t);
    let err=false; tree.iterate({enter(x){ if(x.type.isError) err=true; }});
    if(err) bad.push([f,where,t]);
  }
}
console.log(n,bad.length,Number(process.hrtime.bigint()-t0)/1e6,"ms");
for(const b of bad) console.log(JSON.stringify(b).slice(0,220));
