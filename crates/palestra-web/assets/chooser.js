// The slider selects the opponent by strength and shows its player string.
const level = document.getElementById("level");
const names = [...document.querySelectorAll("#levels option")].map((one) => one.label);
if (level) {
  const say = () => { document.getElementById("level-name").value = `${level.value}: ${names[level.value] ?? ""}`; };
  level.addEventListener("input", () => {
    document.getElementById("opponent").value = "level";
    say();
  });
  say();
}
