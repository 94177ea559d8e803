"use strict";

document.getElementById("greet").onclick = () => {
  const name = document.getElementById("guest-name").value || "stranger";
  document.getElementById("greeting").textContent = `Hello ${name}`;
  document.title = `Hello ${name}`;
};
